import { type Text, text, words } from '../../message/message.ts'
import { type SourceKey, sourceOf, walletSource } from '../../venue/source.ts'
import type { Memory } from '../memory/memory.ts'
import { nearDangerAt } from '../memory/monitors.ts'
import { walletLabel } from '../memory/rules.ts'
import { venueOfSource } from '../memory/sources.ts'
import { NAMED, walletsIn } from './last-known.ts'

/** Wallets that were last read this near to each other went dark in one outage: those near danger are told so soon. */
const ONE_OUTAGE_MS = 30_000

/** A wallet, one account of it, or its margin. */
export function isWallet(source: SourceKey): boolean {
  return 'wallet' in sourceOf(source)
}

/** The scope of an outage: what fails as well and is far from danger, so that it is told later. */
export function alsoFailing(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'sources' | 'run'>,
  source: SourceKey,
  chatId: number,
): Text[] {
  const told = sourceOf(source)
  if (told.is !== 'wallet' || !nearDangerAt(drawers, told.wallet, told.venue)) return []
  const failing = [...walletsIn(drawers, chatId)].filter((wallet) => {
    const other = walletSource(wallet, told.venue)
    return (
      drawers.sources.lastFailure.has(other) &&
      !drawers.sources.blind.has(other) &&
      !nearDangerAt(drawers, wallet, told.venue)
    )
  })
  if (failing.length === 0) return []
  const personId = drawers.people.chats.get(chatId)?.personId ?? 0
  const names = failing.slice(0, NAMED).map((wallet) => walletLabel(drawers, personId, wallet))
  const [named, more] = [names.join(', '), failing.length - NAMED]
  const what = more > 0 ? text`${named} ${words('outage.more', { more })}` : named
  return [words('outage.also', { what })]
}

/** Whether this chat was rung for the outage that has taken a wallet far from danger: it is told without ringing again. */
export function outageIsKnown(
  drawers: Pick<Memory, 'monitors' | 'sources' | 'run'>,
  source: SourceKey,
  chatId: number,
  since: number,
): boolean {
  const dark = sourceOf(source)
  if (!('wallet' in dark)) return false
  if (nearDangerAt(drawers, dark.wallet, venueOfSource(dark, drawers.run.venues))) return false
  return [...drawers.sources.outageNoticesByChat.of(chatId)].some(([other, row]) => {
    const lasts = isWallet(other) && drawers.sources.blind.has(other)
    return lasts && since < row.since + ONE_OUTAGE_MS
  })
}
