/** A security rule as the spec has it, without its source. */
export const webRule = {
  name: "web",
  description: "web",
  protocol: "Tcp",
  direction: "Inbound",
  priority: 300,
  destinationPorts: "80",
  sourcePorts: "*",
  destination: "*",
};
