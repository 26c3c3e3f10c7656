import type { Address } from '../message/address.ts'
import type { Message } from '../message/message.ts'

/** The web address of a button, for a place where nobody can speak: whoever posts to it says this line there, once. */
export type LinkFor = (there: Address, line: string) => string

/**
 * Whoever reads the place can press: that somebody has seen an alert or a drill, or wants it quiet for a while, may be
 * anybody's word there; nothing else is.
 */
export function isPressable(line: string): boolean {
  return /^\/(?:ack|snooze|drill ack)(?: |$)/.test(line)
}

/** Somebody has pressed such a button. */
export interface ActionPress {
  /** The same whenever this very button is pressed. */
  id: string
  there: Address
  line: string
}

/** `done` is whether it has taken effect, now or when it was pressed before; else `says` tells why not. */
export interface ActionResult {
  done: boolean
  says: Message
}
