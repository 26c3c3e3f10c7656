import { firstGraphemes, legible } from '../../lib/legible.ts'
import { say } from '../../message.ts'
import type { Message } from '../../message.ts'
import type { Owner } from '../../owner.ts'
import type { Watch } from '../../person.ts'

const LABEL_GRAPHEMES = 24
/** One grapheme can be a family of seven people, or a letter under a heap of marks. */
const LABEL_CODE_POINTS = 48
/** `0x` and eight digits: as good as unique among somebody's wallets. */
const REFERENCE = 10

/** A label as it is kept: what everybody can see, and nothing that would end a quotation. */
export function walletLabel(typed: string): string {
  const text = legible(typed)
    .replace(/["“”„«»]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return firstGraphemes(text, LABEL_GRAPHEMES, LABEL_CODE_POINTS).trim()
}

/** A wallet for a button's line, which has little room: the start of its address that is its alone. */
export function walletReference(owner: Owner, watches: readonly Watch[]): string {
  const short = owner.slice(0, REFERENCE)
  const same = watches.filter((watch) => watch.owner.toLowerCase().startsWith(short.toLowerCase()))
  return same.length > 1 ? owner : short
}

export function noWallet(): Message {
  return say('I watch no wallet for you yet. Add one with /watch 0x… and a label.')
}
