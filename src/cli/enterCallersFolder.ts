/** Scripts of package.json that pass on what they are given; others name files themselves, as seen from the package. */
const passingOn: ReadonlySet<string | undefined> = new Set(["capstan", "demo"]);

/**
 * Goes to the folder in which the command was called, so that relative paths mean what they mean there: `npm run` runs
 * scripts in the folder of the package (https://docs.npmjs.com/cli/commands/npm-run). Without npm it stays.
 */
export const enterCallersFolder = (env: Readonly<Record<string, string | undefined>>): void => {
  const folder = env["INIT_CWD"];
  if (folder && passingOn.has(env["npm_lifecycle_event"])) process.chdir(folder);
};
