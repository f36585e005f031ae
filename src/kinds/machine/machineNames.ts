/** Names of what belongs to a machine or a pool (fact sheet, machines, 0.7, 1.3 and 3.4). Existing ones carry them. */

const lastSegment = (id: string): string | undefined => id.split("/").at(-1);

/** What the name of a VM follows from. */
export interface NamedMachine {
  readonly name: string;
  readonly osType: "Linux" | "Windows";
  /** Once the VM exists, it says its name. */
  readonly providerID?: string;
}

/** A computer of Windows has at most 15 characters: nine from the front, a hyphen, five from the end. */
export const vmName = ({ name, osType, providerID }: NamedMachine): string => {
  const known = lastSegment(providerID ?? "");
  if (known !== undefined && known !== "") return known;
  return osType === "Windows" && name.length > 15 ? `${name.slice(0, 9).replace(/-$/, "")}-${name.slice(-5)}` : name;
};

/** A computer of a Windows scale set has at most nine characters before its number. */
export const scaleSetName = (name: string, osType: "Linux" | "Windows"): string =>
  osType === "Windows" && name.length > 9 ? `win-${name.slice(-5)}` : name;

/** Names below one VM or scale set. */
export const machineNames = Object.freeze({
  /** The only interface has no number; of several each has one. */
  networkInterface: (vm: string, index: number, count: number) => (count === 1 ? `${vm}-nic` : `${vm}-nic-${index}`),
  scaleSetNetworkInterface: (scaleSet: string, index: number) => `${scaleSet}-nic-${index}`,
  osDisk: (vm: string) => `${vm}_OSDisk`,
  dataDisk: (vm: string, suffix: string) => `${vm}_${suffix}`,
  publicIp: (vm: string) => `pip-${vm}`,
  availabilitySet: (cluster: string, group: string) => `${cluster}_${group}-as`,
});
