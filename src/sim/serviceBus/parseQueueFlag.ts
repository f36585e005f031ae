import type { QueueOptions } from "./queue/queueOptions.ts";

const numbers = ["maxDeliveryCount", "lockSeconds", "duplicateDetectionSeconds"] as const;

/** Reads `name` or `name:option=value,…`. Throws a sentence for the person at the command line. */
export const parseQueueFlag = (flag: string): QueueOptions => {
  const [name = "", settings] = flag.split(/:(.*)/s);
  const options: Record<string, number | boolean> = {};
  for (const setting of settings ? settings.split(",") : []) {
    const [key = "", value = ""] = setting.split(/=(.*)/s);
    const isNumber = numbers.some((known) => known === key) && /^\d+(\.\d+)?$/.test(value);
    const isFlag = key === "deadLetterExpired" && /^(true|false)$/.test(value);
    if (!isNumber && !isFlag) throw new Error(`--queue ${flag}: cannot read ${JSON.stringify(setting)}`);
    options[key] = isNumber ? Number(value) : value === "true";
  }
  return { name, ...options };
};
