import { network, vnetId } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";
import { aNetwork } from "./networks.ts";
import { aGroup } from "./resourceGroups.ts";

const source = "Test_Networking_PrivateDnsZone_CRUD.yaml, 2018-09-01 and 2020-06-01 (recorded 2023-03-20)";
const zoneId = `${network}/privateDnsZones/example.org`;
const linkId = `${zoneId}/virtualNetworkLinks/link`;
const recordId = `${zoneId}/CNAME/record`;
const zone = { location: "global" };
const link = { location: "global", properties: { registrationEnabled: false, virtualNetwork: { id: vnetId } } };
const record = { properties: { ttl: 3600, cnameRecord: { cname: "elsewhere.org" } } };

const aZone: Step = { method: "PUT", to: zoneId, body: zone, apiVersion: "2018-09-01" };
const aLink: Step = { method: "PUT", to: linkId, body: link };
const aRecord: Step = { method: "PUT", to: recordId, body: record };

const accepted = {
  "azure-asyncoperation": "zone operation",
  location: "zone operation result",
  "retry-after": 30,
} as const;

export const privateNames = [
  {
    when: "a private zone is created",
    source,
    before: [aGroup],
    ask: { method: "PUT", to: zoneId, body: zone, apiVersion: "2018-09-01" },
    answer: { status: 202, headers: accepted, body: "{}" },
  },
  {
    when: "the creation of a private zone is polled while it runs",
    source,
    before: [aGroup, { ...aZone, running: true }],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: { status: 202, headers: accepted, body: { only: ["status"], values: { status: "InProgress" } } },
  },
  {
    when: "the creation of a private zone is polled after its end",
    source,
    before: [aGroup, aZone],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: { status: 200, body: { only: ["status"], values: { status: "Succeeded" } } },
  },
  {
    when: "a private zone is read after its creation",
    source,
    before: [aGroup, aZone],
    ask: { method: "GET", to: zoneId, apiVersion: "2018-09-01" },
    answer: {
      status: 200,
      headers: { etag: "bare etag" },
      body: {
        only: ["id", "name", "type", "etag", "location", "properties"],
        values: {
          type: "Microsoft.Network/privateDnsZones",
          location: "global",
          "properties.provisioningState": "Succeeded",
          "properties.maxNumberOfRecordSets": 25_000,
          "properties.maxNumberOfVirtualNetworkLinks": 1_000,
          "properties.maxNumberOfVirtualNetworkLinksWithRegistration": 100,
          "properties.numberOfRecordSets": 1,
          "properties.numberOfVirtualNetworkLinks": 0,
          "properties.numberOfVirtualNetworkLinksWithRegistration": 0,
        },
      },
    },
  },
  {
    when: "a record set is created",
    source,
    before: [aGroup, aZone],
    ask: { method: "PUT", to: recordId, body: record },
    answer: {
      status: 201,
      headers: { etag: "bare etag" },
      body: {
        only: ["id", "name", "type", "etag", "properties"],
        values: {
          type: "Microsoft.Network/privateDnsZones/CNAME",
          properties: {
            ttl: 3600,
            cnameRecord: { cname: "elsewhere.org" },
            fqdn: "record.example.org.",
            isAutoRegistered: false,
          },
        },
      },
    },
  },
  {
    when: "a record set is changed",
    source,
    before: [aGroup, aZone, aRecord],
    ask: { method: "PUT", to: recordId, body: { properties: { ...record.properties, metadata: { foo: "bar" } } } },
    answer: {
      status: 200,
      headers: { etag: "bare etag" },
      body: { values: { "properties.metadata": { foo: "bar" } }, etag: "renewed" },
    },
  },
  {
    when: "a record set is read",
    source,
    before: [aGroup, aZone, aRecord],
    ask: { method: "GET", to: recordId },
    answer: {
      status: 200,
      headers: { etag: "bare etag" },
      body: { values: { "properties.ttl": 3600 }, omits: ["properties.provisioningState"], etag: "kept" },
    },
  },
  {
    when: "a record set is deleted",
    source,
    before: [aGroup, aZone, aRecord],
    ask: { method: "DELETE", to: recordId },
    answer: { status: 200, body: "none" },
  },
  {
    when: "a private zone is linked to a network",
    source,
    before: [aGroup, aNetwork, aZone],
    ask: { method: "PUT", to: linkId, body: link },
    answer: { status: 202, headers: accepted, body: "{}" },
  },
  {
    when: "the link of a private zone is read after its creation",
    source,
    before: [aGroup, aNetwork, aZone, aLink],
    ask: { method: "GET", to: linkId },
    answer: {
      status: 200,
      headers: { etag: "quoted etag" },
      body: {
        only: ["id", "name", "type", "etag", "location", "properties"],
        values: {
          type: "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
          properties: {
            provisioningState: "Succeeded",
            registrationEnabled: false,
            virtualNetwork: { id: vnetId },
            virtualNetworkLinkState: "Completed",
          },
        },
      },
    },
  },
  {
    when: "the link of a private zone gets a tag",
    source,
    before: [aGroup, aNetwork, aZone, aLink],
    ask: { method: "PUT", to: linkId, body: { ...link, tags: { foo: "bar" } } },
    answer: { status: 202, headers: accepted, body: "{}" },
  },
  {
    when: "a private zone is deleted that is still linked",
    source,
    before: [aGroup, aNetwork, aZone, aLink],
    ask: { method: "DELETE", to: zoneId, apiVersion: "2018-09-01" },
    answer: {
      status: 409,
      headers: { "x-ms-failure-cause": "gateway" },
      body: { only: ["error"], values: { "error.code": "CannotDeleteResource" }, omits: ["error.details"] },
    },
  },
  {
    when: "the link of a private zone is deleted",
    source,
    before: [aGroup, aNetwork, aZone, aLink],
    ask: { method: "DELETE", to: linkId },
    answer: { status: 202, headers: accepted, body: "none" },
  },
] as const satisfies readonly Exchange[];
