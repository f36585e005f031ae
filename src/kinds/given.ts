/** Text that says something: Go clients write `""` for what is not set. */
export const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
