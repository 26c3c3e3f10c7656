import type { Address } from '../message/address.ts'
import type { Message } from '../message/message.ts'

/** Returns the web address of a button, for a place where nobody can speak. A POST to it runs the line there, once. */
export type LinkFor = (there: Address, line: string) => string

/**
 * Anybody who reads the place can press a button there. So a button may acknowledge or snooze an alert, or acknowledge a
 * drill, and nothing else.
 */
export function isPressable(line: string): boolean {
  return /^\/(?:ack|snooze|drill ack)(?: |$)/.test(line)
}

/** A press of such a button. */
export interface ActionPress {
  /** The same whenever this very button is pressed. */
  id: string
  there: Address
  line: string
  /** When the message with the button was sent: wall time. */
  sentAt: number
}

/** `done`: the line took effect, now or at an earlier press. Otherwise `says` tells why not. */
export interface ActionResult {
  done: boolean
  says: Message
}
