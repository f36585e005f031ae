import { memoryTables } from "../../../src/sim/memory/memoryTables.ts";
import { tablesContract } from "../../support/contracts/tablesContract.ts";

tablesContract(() => Promise.resolve(memoryTables(() => 1_700_000_000_000)));
