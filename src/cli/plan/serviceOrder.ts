import type { ServiceFacts } from "../../core/runnableKind.ts";

/** Items in an order in which each comes after those whose services its own needs. */
export const inServiceOrder = <T extends { readonly service: ServiceFacts }>(items: readonly T[]): readonly T[] => {
  const ordered: T[] = [];
  let left = items;
  while (left.length > 0) {
    const waiting = new Set(left.map(({ service }) => service.name));
    const ready = left.filter(({ service }) => !service.after.some((name) => waiting.has(name)));
    // A circle cannot be ordered; a test of the services refuses it.
    ordered.push(...(ready.length === 0 ? left : ready));
    left = ready.length === 0 ? [] : left.filter((one) => !ready.includes(one));
  }
  return ordered;
};

/** Names of all services that come before each service, near or far. */
export const servicesBefore = (services: readonly ServiceFacts[]): ((name: string) => ReadonlySet<string>) => {
  const byName = new Map(services.map((service) => [service.name, service]));
  return (name) => {
    const found = new Set<string>();
    const visit = (one: string): void => {
      for (const next of byName.get(one)?.after ?? []) {
        if (found.has(next)) continue;
        found.add(next);
        visit(next);
      }
    };
    visit(name);
    return found;
  };
};
