import { createGrouped, type Grouped } from '../../lib/data/grouped.ts'
import { type Mute, mutedKey, type Suppressed } from '../../people/mute.ts'
import type { Law } from './effect.ts'

/** The mutes of each chat, and the alerts that it was not told because of them. */
export interface Silences {
  /** By chat, then by `mutedKey`. */
  mutesIn: Grouped<number, string, Mute>
  /** By chat, then by alert. */
  suppressedIn: Grouped<number, number, Suppressed>
}

export function createSilences(): Silences {
  return { mutesIn: createGrouped(), suppressedIn: createGrouped() }
}

type Kinds = 'mute' | 'mute-gone' | 'suppressed' | 'suppressed-gone'

export const silencesLaw: Law<Silences, Kinds> = {
  mute: (silences, { mute }) => silences.mutesIn.put(mute.chatId, mutedKey(mute.of), mute),
  'mute-gone': (silences, { chatId, of }) => silences.mutesIn.drop(chatId, of),
  suppressed: (silences, { held }) => silences.suppressedIn.put(held.chatId, held.alertId, held),
  'suppressed-gone': (silences, { chatId, alertId }) => silences.suppressedIn.drop(chatId, alertId),
}
