import type { Inbound } from '../chat/bot.ts'
import { GUEST, type Person } from '../people/person.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change, InputId } from '../store/change.ts'

/**
 * Stores the language of the person's platform: alerts follow it until the person chooses one. Without a store the
 * command runs as before, and the next one tries again.
 */
export async function hearLanguage(
  { id, by, private: alone, language }: Inbound,
  person: Person,
  world: { emit: Emit; change(change: Change, input: InputId): Promise<unknown> },
): Promise<void> {
  if (!alone || language === null || language === person.spoken || person.id === GUEST.id) return
  const heard = { is: 'settings', personId: person.id, to: { spoken: language } } as const
  await world.change(heard, { platform: by.platform, id: `${id}#language` }).catch((error: unknown) => {
    world.emit({ is: 'trouble', where: 'dialog', why: 'a language could not be kept', error })
  })
}
