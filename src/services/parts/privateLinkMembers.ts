/**
 * The members of sub-resources of Azure's services that are not called like the sub-resource. Those of a registry's data
 * carry its region, which is taken to be that of the endpoint.
 */
const unlike: Readonly<Record<string, (location: string) => readonly string[]>> = Object.freeze({
  vault: () => ["default"],
  registry: (location: string) => ["registry", `registry_data_${location.replaceAll(" ", "").toLowerCase()}`],
});

/**
 * The member of a sub-resource that gets the address at this place of a list; undefined when only its service knows.
 * Source: https://learn.microsoft.com/azure/private-link/manage-private-endpoint#determine-groupid-and-membername
 */
export const privateLinkMember = (groupId: string, index: number, location: string): string | undefined =>
  (unlike[groupId.toLowerCase()]?.(location) ?? [groupId])[index];
