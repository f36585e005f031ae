import { describeSchedules } from "../support/schedules.ts";

describeSchedules(2, 2);
