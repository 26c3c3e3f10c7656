import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { within } from '../bounds.ts'
import { aView } from '../world.ts'
import { lead } from './leads.ts'

const MARKETS = ['btc', 'ETH', '$sol', 'eth-perp', 'bitcoin', 'doge', 'XYZ']
const FIGURES = [
  '2300',
  '5%',
  '-5k',
  '$2,300',
  '2.400',
  '1h',
  '9.21e-6',
  '٢٣٠٠',
  '60 000',
  '42',
  '0x12',
  '10,5',
]
const SMALL = [
  'the',
  'my',
  'is',
  'how',
  'what',
  'if',
  'to',
  'for',
  'of',
  'please',
  'me',
  'you',
  'and',
  'now',
  '?',
  '…',
  '“',
  '"',
]
const TALK = ['hi', 'thanks', 'ok', 'no', 'bye', 'stop', 'off', 'yes', 'menu', 'help', '👍', 'lol', 'why']
const ASKS = [
  'alert',
  'tell',
  'when',
  'hits',
  'below',
  'above',
  'drops',
  'liq',
  'pnl',
  'funding',
  'flips',
  'closed',
  'loses',
  'margin',
]
const COMMANDS = [
  'positions',
  'mute',
  'snooze',
  'ack',
  'watch',
  'forget',
  'settings',
  '/alert',
  '/mute',
  'postions',
  'until',
  'zone',
  'R7',
  'A41',
  'all',
  'main',
]
const ADDRESSES = [
  '0x1234567890123456789012345678901234567890',
  'vitalik.eth',
  'https://etherscan.io/address/0x52908400098527886E0F7030069857D2E4169EE7',
]
const EVERYTHING = [MARKETS, FIGURES, SMALL, TALK, ASKS, COMMANDS, ADDRESSES].flat()

const lines = (words: readonly string[]) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 200 }).map((all) => all.join(' '))
const short = (words: readonly string[]) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }).map((all) => all.join(' '))

/** As many looks at the listed markets as a line may take, however long it is. */
const MOST_LOOKS = 4_000

describe('a line of random words', () => {
  test('is answered within the bounds of any platform and of work, whatever it says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(lines(EVERYTHING), short(EVERYTHING)), async (line) => {
        let looks = 0
        const { listed } = aView()
        const counted = () => {
          looks += 1
          return listed()
        }
        const { answer } = await lead(line, { view: { listed: counted } })
        expect(within(answer)).toEqual([])
        expect(looks).toBeLessThan(MOST_LOOKS)
      }),
    )
  })

  test('changes nothing where it asks for no alert and names no command', async () => {
    await fc.assert(
      fc.asyncProperty(short([MARKETS, FIGURES, SMALL, TALK].flat()), async (line) => {
        const { ran } = await lead(line)
        expect(ran ?? '/market ').toMatch(
          /^\/(?:market|markets|positions|menu|help|shock|why|status|start|orders) /,
        )
      }),
    )
  })
})
