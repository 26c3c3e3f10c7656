import { skeleton } from '../../lib/text/legible.ts'
import { item, type Message, message, words } from '../../message/message.ts'
import { asking } from '../../message/question.ts'
import type { Watch } from '../../people/person.ts'
import { shortWallet, type Wallet } from '../../venue/wallet.ts'
import { shorterLabel } from '../shared/wallet-names.ts'

/** The question in place of an answer where a label is too long, or could be taken for another one; null for a good one. */
export function labelQuestion(
  line: '/watch' | '/follow',
  { address, given, label }: { address: Wallet; given: string | undefined; label: string },
  named: readonly Watch[],
): Message | null {
  const shorter = given === undefined ? null : shorterLabel(given)
  if (shorter !== null) {
    return message([item('plain', words('watch.long.title'), [words('watch.long.shorter')])], {
      buttons: [
        {
          label: words('watch.button.call', { label: shorter }),
          line: `${line} ${address} "${shorter}"`,
          replace: true,
        },
      ],
    })
  }
  const namesake = named.find((one) => one.wallet !== address && skeleton(one.label) === skeleton(label))
  if (!namesake) return null
  const wallet = shortWallet(namesake.wallet)
  return asking(
    namesake.label.toLowerCase() === label.toLowerCase()
      ? words('watch.taken', { label, wallet })
      : words('watch.similar', { label, other: namesake.label, wallet }),
    { start: `${line} ${address}`, prompt: words('ask.word.label'), placeholder: 'main' },
    [],
  )
}
