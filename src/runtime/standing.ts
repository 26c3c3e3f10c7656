/**
 * How one process stands to the others of its cell. One of them leads: it reads venues, writes and sends. The others follow: they
 * keep a copy of all that it writes, and do nothing that anybody could see.
 */
export interface Standing {
  role: Role
  /** The name of this process. */
  name: string
  /** The name of the process that leads; null when nobody does. */
  leader: string | null
  /** Grows by one with each change of the leader. */
  epoch: number
  /** How old the oldest entry is that this process has not applied, by the clock of the database; 0 when it has all. */
  behindSeconds: number
  /** Those that follow, as the leader knows them. */
  standbys: readonly Standby[]
  /** Why it waits or is suspended; else null. */
  why: string | null
}

/**
 * `waiting`: a standby that cannot follow now. `suspended`: the leader can't renew its lease, so it sends nothing until it
 * can.
 */
export type Role = 'leader' | 'suspended' | 'standby' | 'waiting'

export interface Standby {
  name: string
  behindSeconds: number
}
