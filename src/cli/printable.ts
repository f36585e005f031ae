const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Control characters in what others wrote must not reach a terminal as such. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, escaped);
