/** Something that whoever typed the command can put right; shown without a stack. */
export class UserError extends Error {
  override readonly name = "UserError";
  /** Status with which the program ends. */
  readonly status: number;
  constructor(message: string, status = 1) {
    super(message);
    this.status = status;
  }
}
