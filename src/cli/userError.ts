/** Something that whoever typed the command can put right; shown without a stack. */
export class UserError extends Error {
  override readonly name = "UserError";
}
