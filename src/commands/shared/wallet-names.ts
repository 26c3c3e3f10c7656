import { firstGraphemes, legible } from '../../lib/text/legible.ts'
import { type Message, say } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import { type Wallet, walletReference, shortWallet } from '../../venue/wallet.ts'

const LABEL_GRAPHEMES = 24
/** One grapheme can be a family of seven people, or a letter under a heap of marks. */
const LABEL_CODE_POINTS = 48

/** A label as it is kept: what everybody can see, and nothing that would end a quotation. */
export function cleanLabel(typed: string): string {
  return legible(typed)
    .replace(/["“”„«»]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** What is left of a label that nobody could read in a list; null when all of it fits. */
export function shorterLabel(label: string): string | null {
  const shorter = firstGraphemes(label, LABEL_GRAPHEMES, LABEL_CODE_POINTS).trim()
  return shorter === label ? null : shorter
}

/** A wallet for a button's line, which has little room. */
export function referenceAmong(wallet: Wallet, watches: readonly Watch[]): string {
  return walletReference(
    wallet,
    watches.map((watch) => watch.wallet),
  )
}

/** As the person calls it. */
export function walletName(wallet: Wallet, watches: readonly Watch[]): string {
  return watches.find((watch) => watch.wallet === wallet)?.label ?? shortWallet(wallet)
}

export function noWallet(): Message {
  return say('I watch no wallet for you yet. Add one with /watch 0x… and a label.')
}
