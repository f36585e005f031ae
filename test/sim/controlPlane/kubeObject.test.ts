import { describe, expect, it } from "vitest";
import { parseObjects, withLabels } from "../../../src/sim/controlPlane/kubeObject.ts";

const one = "apiVersion: v1\nkind: Namespace\nmetadata: { name: one, labels: { a: b } }\n";

describe("objects in YAML", () => {
  it("are read from several documents, empty ones left out", () => {
    const text = `---\n${one}---\n# nothing\n---\n${one.replace("name: one", "name: two")}`;
    expect(parseObjects(text, "file").map((object) => object.metadata.name)).toEqual(["one", "two"]);
  });

  it.each([
    { when: "the text is not YAML", text: "a: [", says: /^file: / },
    { when: "a document is a list", text: "- a\n", says: /^file: a document is not a Kubernetes object$/ },
    { when: "an object has no name", text: "apiVersion: v1\nkind: Secret\n", says: /not a Kubernetes object/ },
  ])("are refused with the name of the file when $when", ({ text, says }) => {
    expect(() => parseObjects(text, "file")).toThrow(says);
  });

  it("get labels beside those they have", () => {
    const [object] = parseObjects(one, "file");
    expect(withLabels(object!, { c: "d" }).metadata).toEqual({ name: "one", labels: { a: "b", c: "d" } });
  });
});
