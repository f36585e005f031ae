import type { WatcherStatus } from "./watcherStatus.ts";

type Labels = Readonly<Record<string, string>>;
interface Metric {
  readonly name: string;
  readonly type: "gauge" | "counter";
  readonly help: string;
  readonly samples: readonly (readonly [Labels, number])[];
}

/** Label values are kinds and words of our own: none needs escaping. */
const labelText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
};

const lines = ({ name, type, help, samples }: Metric): readonly string[] => [
  `# HELP capstan_watcher_${name} ${help}`,
  `# TYPE capstan_watcher_${name} ${type}`,
  ...samples.map(([labels, value]) => `capstan_watcher_${name}${labelText(labels)} ${value}`),
];

const kindMetrics = ({ kinds, nowMs }: WatcherStatus): readonly Metric[] => [
  {
    name: "objects",
    type: "gauge",
    help: "Objects known.",
    samples: kinds.map(({ kind, objects }) => [{ kind }, objects]),
  },
  {
    name: "events_total",
    type: "counter",
    help: "Watch events received.",
    samples: kinds.flatMap(({ kind, events }) =>
      Object.entries(events).map(([type, count]) => [{ kind, type: type.toLowerCase() }, count] as const),
    ),
  },
  {
    name: "lists_total",
    type: "counter",
    help: "Complete lists, the first one and all relists.",
    samples: kinds.map(({ kind, lists }) => [{ kind }, lists]),
  },
  {
    name: "watch_ends_total",
    type: "counter",
    help: "Watches that ended and were started again, by reason.",
    samples: kinds.flatMap(({ kind, ends }) =>
      Object.entries(ends).map(([reason, count]) => [{ kind, reason }, count] as const),
    ),
  },
  {
    name: "defects_total",
    type: "counter",
    help: "Exceptions of the watcher's own code.",
    samples: kinds.map(({ kind, defects }) => [{ kind }, defects]),
  },
  {
    name: "progress_age_seconds",
    type: "gauge",
    help: "Time since the last event, bookmark or complete list.",
    samples: kinds.map(({ kind, progressMs }) => [{ kind }, (nowMs - progressMs) / 1000]),
  },
  {
    name: "kind_missing",
    type: "gauge",
    help: "1 when the API server does not have the kind.",
    samples: kinds.map(({ kind, phase }) => [{ kind }, phase === "missing" ? 1 : 0]),
  },
];

const outboxMetrics = ({ outbox, nowMs, opened, unannounced }: WatcherStatus): readonly Metric[] => [
  {
    name: "doorbells_total",
    type: "counter",
    help: "Doorbells that the broker acknowledged, and attempts that failed.",
    samples: [
      [{ result: "sent" }, outbox.sent],
      [{ result: "failed" }, outbox.failed],
    ],
  },
  {
    name: "outbox_size",
    type: "gauge",
    help: "Objects whose news the broker does not have.",
    samples: [[{}, outbox.size]],
  },
  {
    name: "outbox_oldest_age_seconds",
    type: "gauge",
    help: "How long the oldest of them has been waiting.",
    samples: [[{}, outbox.oldestMs === undefined ? 0 : (nowMs - outbox.oldestMs) / 1000]],
  },
  {
    name: "unannounced",
    type: "gauge",
    help: "Objects known at the start that are not in the outbox yet.",
    samples: [[{}, unannounced]],
  },
  {
    name: "ready",
    type: "gauge",
    help: "1 after the first complete list of every kind.",
    samples: [[{}, opened ? 1 : 0]],
  },
];

/** All numbers in Prometheus' text format. */
export const metricsText = (status: WatcherStatus): string =>
  `${[...kindMetrics(status), ...outboxMetrics(status)].flatMap(lines).join("\n")}\n`;
