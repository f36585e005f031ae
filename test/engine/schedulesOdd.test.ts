import { describeSchedules } from "../support/schedules.ts";

describeSchedules(1, 2);
