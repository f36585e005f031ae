import { compute } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";
import { aGroup } from "./resourceGroups.ts";

const source = "Test_Compute_Disk_20240302_CRUD.yaml, 2024-03-02 (recorded 2025-11-18)";
const ofSet = "Test_Compute_AvailabilitySet_v20241101_CRUD.yaml, 2024-11-01 (recorded 2025-11-18)";
const apiVersion = "2024-03-02";
const location = "westus2";
const diskId = `${compute}/disks/disk`;
const setId = `${compute}/availabilitySets/set`;
const disk = {
  location,
  sku: { name: "Standard_LRS" },
  properties: { creationData: { createOption: "Empty" }, diskSizeGB: 500 },
};
const closed = { ...disk, properties: { ...disk.properties, networkAccessPolicy: "DenyAll" } };
const set = { location, properties: { platformFaultDomainCount: 2, platformUpdateDomainCount: 3 } };

const aDisk: Step = { method: "PUT", to: diskId, body: disk, apiVersion };
const aSet: Step = { method: "PUT", to: setId, body: set, apiVersion: "2024-11-01" };
const accepted = {
  "azure-asyncoperation": "operation",
  location: "operation monitor",
  "retry-after": 2,
} as const;

export const disks = [
  {
    when: "a disk is created",
    source,
    before: [aGroup],
    ask: { method: "PUT", to: diskId, body: disk, apiVersion },
    answer: {
      status: 202,
      headers: accepted,
      body: {
        only: ["id", "name", "type", "location", "sku", "properties"],
        values: {
          type: "Microsoft.Compute/disks",
          sku: { name: "Standard_LRS" },
          properties: {
            creationData: { createOption: "Empty" },
            diskSizeGB: 500,
            provisioningState: "Updating",
          },
        },
      },
    },
  },
  {
    when: "the creation of a disk is polled after its end",
    source,
    before: [aGroup, aDisk],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: {
      status: 200,
      body: {
        only: ["startTime", "endTime", "status", "properties", "name"],
        values: {
          status: "Succeeded",
          "properties.output.name": "disk",
          "properties.output.properties.provisioningState": "Succeeded",
        },
      },
    },
  },
  {
    when: "a disk is read after its creation",
    source: "Test_Compute_Disk_20200930_CRUD.yaml, 2020-09-30 (recorded 2024-07-30)",
    before: [aGroup, aDisk],
    ask: { method: "GET", to: diskId, apiVersion: "2020-09-30" },
    answer: {
      status: 200,
      body: {
        values: {
          sku: { name: "Standard_LRS", tier: "Standard" },
          "properties.provisioningState": "Succeeded",
          "properties.diskState": "Unattached",
          "properties.networkAccessPolicy": "AllowAll",
          "properties.diskSizeBytes": 536_870_912_000,
          "properties.encryption": { type: "EncryptionAtRestWithPlatformKey" },
        },
        shows: ["properties.uniqueId", "properties.timeCreated"],
        omits: ["managedBy", "etag", "properties.creationData.imageReference"],
      },
    },
  },
  {
    when: "a disk is changed",
    source,
    before: [aGroup, aDisk],
    ask: { method: "PUT", to: diskId, body: closed, apiVersion },
    answer: {
      status: 202,
      headers: accepted,
      body: {
        values: {
          "properties.provisioningState": "Updating",
          "properties.networkAccessPolicy": "DenyAll",
          "properties.diskSizeBytes": 536_870_912_000,
        },
      },
    },
  },
  {
    when: "an availability set is created",
    source: ofSet,
    before: [aGroup],
    ask: { method: "PUT", to: setId, body: set, apiVersion: "2024-11-01" },
    answer: {
      status: 200,
      body: {
        only: ["id", "name", "type", "location", "sku", "properties"],
        values: {
          type: "Microsoft.Compute/availabilitySets",
          sku: { name: "Classic" },
          properties: { platformUpdateDomainCount: 3, platformFaultDomainCount: 2 },
        },
      },
    },
  },
  {
    when: "an availability set is read",
    source: ofSet,
    before: [aGroup, aSet],
    ask: { method: "GET", to: setId, apiVersion: "2024-11-01" },
    answer: {
      status: 200,
      body: {
        values: {
          properties: { platformUpdateDomainCount: 3, platformFaultDomainCount: 2, virtualMachines: [] },
        },
      },
    },
  },
  {
    when: "an availability set gets a tag",
    source: ofSet,
    before: [aGroup, aSet],
    ask: { method: "PUT", to: setId, body: { ...set, tags: { env: "test" } }, apiVersion: "2024-11-01" },
    answer: {
      status: 200,
      body: {
        values: { tags: { env: "test" } },
        omits: ["properties.virtualMachines", "properties.provisioningState"],
      },
    },
  },
  {
    when: "an availability set is deleted",
    source: ofSet,
    before: [aGroup, aSet],
    ask: { method: "DELETE", to: setId, apiVersion: "2024-11-01" },
    answer: { status: 200, body: "none" },
  },
  {
    when: "an availability set is read after its deletion",
    source: ofSet,
    before: [aGroup, aSet, { method: "DELETE", to: setId, apiVersion: "2024-11-01" }],
    ask: { method: "GET", to: setId, apiVersion: "2024-11-01" },
    answer: {
      status: 404,
      headers: { "x-ms-failure-cause": "gateway" },
      body: { values: { "error.code": "ResourceNotFound" } },
    },
  },
] as const satisfies readonly Exchange[];
