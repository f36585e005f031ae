declare module "rhea/lib/frames.js" {
  interface DispositionFields {
    readonly role: boolean;
    readonly first: number;
    readonly last: number;
    readonly settled: boolean;
    readonly state: unknown;
  }
  const frames: { disposition(fields: DispositionFields): unknown };
  export = frames;
}
