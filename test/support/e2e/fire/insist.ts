import { eventually } from "../eventually.ts";

/** Does something again and again until nothing stands in its way, as a person does to whom a server does not answer. */
export const insist = async (what: string, act: () => Promise<unknown>): Promise<void> => {
  await eventually(what, async () => {
    await act();
    return true;
  });
};
