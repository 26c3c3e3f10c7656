import { z } from 'zod'

import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { item, message, say } from '../message.ts'
import type { Item, Text } from '../message.ts'
import { shortOwner } from '../owner.ts'
import { freshness, gaps, positionItem, worstFirst } from './words/positions.ts'

const SHOWN = 8
const LABEL_CHARACTERS = 24

/** Watches a wallet, arms sensible alerts for it, and says at once what it sees there. */
export default command({
  name: 'watch',
  aliases: ['add'],
  summary: 'watches a wallet and arms its alerts',
  examples: ['/watch 0x52908400098527886E0F7030069857D2E4169EE7 main'],
  args: z.object({ address: argument.address(), label: argument.text().optional() }),
  async run({ person, chat, kinds, view, read, change, reader, limits }, { address, label: given }) {
    if (!chat) return say('I have no private chat with you yet: write to me there first.')
    const watches = view.watches(person.id)
    const known = watches.find(({ owner }) => owner === address)
    if (!known && watches.length >= limits.wallets) {
      return say(
        `You watch ${watches.length} wallets, and ${limits.wallets} is the most. /unwatch one first.`,
      )
    }
    const label = (given ?? known?.label ?? shortOwner(address)).slice(0, LABEL_CHARACTERS)
    const found = await read.positions(address)
    const arm = kinds
      .filter((kind) => kind.armedByWatch !== null)
      .map((kind) => ({
        kind: kind.name,
        params: kind.armedByWatch,
        owner: address,
        market: null,
        armedByWatch: true,
      }))
    const kept = known ? [] : arm
    await change({ is: 'watch', personId: person.id, chatId: chat.id, owner: address, label, arm: kept })

    const head = known ? `I watch ${label} already` : `I watch ${label} now`
    const armed: Text = known
      ? 'Its alerts stay as they are: /alerts'
      : `I tell you when ${kinds
          .filter(({ armedByWatch }) => armedByWatch !== null)
          .map(({ summary }) => summary)
          .join('; ')}. Change it with /alert.`
    if (found.is === 'unseen') {
      return message([
        item('plain', head, [
          `I could not see its positions: ${found.why}`,
          'That is not an all-clear. I keep trying and tell you what I find.',
          armed,
        ]),
      ])
    }
    const { positions } = found.reading.value
    const missing = gaps(found.reading.value)
    const items: Item[] = worstFirst(positions, view)
      .slice(0, SHOWN)
      .map((position) => positionItem(position, view.markets().get(position.marketId), label))
    const more = positions.length > SHOWN ? [`and ${positions.length - SHOWN} more: /positions`] : []
    const summary =
      positions.length === 0 && missing === null
        ? 'The venue shows no open position there. If you expected one, check the address.'
        : `${positions.length} position${positions.length === 1 ? '' : 's'}, the nearest to liquidation first`
    const lines = [summary, ...(missing === null ? [] : [missing]), ...more, armed]
    return message([item('plain', head, lines), ...items], { footnote: freshness(found, reader.now) })
  },
})
