import type { Lately } from '../digest.ts'
import { bounded } from '../message.ts'
import type { Item } from '../message.ts'
import type { Store } from '../store.ts'
import { silent } from './decision.ts'
import type { Decision } from './decision.ts'
import { lastDue, scopeOf } from './digest.ts'
import type { Scope } from './digest.ts'
import { digestItems } from './digest-words.ts'
import { holdings } from './holdings.ts'
import type { Look } from './look.ts'
import type { Turn } from './turn.ts'

/** A digest that is due, with what the store knows of the day; null when it is not due any more. */
export async function digestTurn(
  store: Pick<Store, 'lately'>,
  look: Look,
  keeperId: number,
): Promise<Turn | null> {
  const scope = scopeOf(look, keeperId)
  if (!scope) return null
  const lately = await store.lately(scope.chatIds, scope.since)
  return { learned: [], decisions: [digestOf(look, keeperId, scope, lately)] }
}

/** The summary, kept with the note that it was told: a crash neither loses nor repeats it. */
function digestOf(look: Look, keeperId: number, scope: Scope, lately: Lately): Decision {
  const { memory, now } = look
  const keeper = memory.chats.get(keeperId) ?? scope.chat
  const held = holdings(look, scope.owners, keeper.personId)
  const open = Object.fromEntries(held.flatMap(({ key, counted }) => (counted ? [[key, counted]] : [])))
  const before = keeper.digest?.told ?? null
  const items = digestItems(look, scope, held, { before, lately })
  const minute = keeper.digest?.minute ?? 0
  const decision = silent(scope.chat.id, [
    {
      is: 'chat',
      chat: { ...keeper, digest: { minute, after: lastDue(scope, minute, now), told: { at: now, open } } },
    },
  ])
  const shared = { reason: 'digest', severity: 'info', quiet: true } as const
  decision.said = items.map((one: Item, order) => ({
    ...shared,
    ...{ item: bounded(one), alertIds: [], order, about: `digest/${keeper.id}` },
  }))
  return decision
}
