/** 0 critical, 1 warning, 2 info, 3 what only tidies up: the order in which messages go out. */
export type Urgency = 0 | 1 | 2 | 3
