import { plainText } from '../../src/message/message.ts'
import { createDice } from '../../test/support/seed.ts'
import { walletOf } from './crowd.ts'
import type { SoakPlatform } from './soak-platform.ts'
import { SOAK_MARKETS } from './soak-world.ts'

/** Those who watch, and what they say in an hour. */
export interface SoakPeople {
  /** Everybody comes, watches their wallets and sets what they like: as many as later, so that nothing grows by that. */
  come(): Promise<void>
  /** Some of them say something, one after the other. */
  speak(): Promise<void>
  /** What was not understood or allowed, by what was said. */
  refused: Map<string, number>
}

/** How an answer begins that refuses a line, or does not understand it. */
const REFUSED =
  /^(?:I (?:don’t|didn’t) (?:know|understand)|I can’t|I’m not sure|No market called|You (?:have no|don’t watch)|That didn’t work)/

/** Of all people, in each hour. */
const SPEAK_SHARE = 0.06
const BLOCK_SHARE = 0.002
const BACK_SHARE = 0.1
/** What nobody has more of: whoever has as many takes one away. */
const MOST_RULES = 4

const QUIET = '/quiet 22:00-06:00'
const DIGEST = '/digest 08:00'
const ASKS = ['/positions', '/status', '/alerts', '/history', '/wallets', '/funding', '/settings', '/export']

export function createSoakPeople(
  platform: SoakPlatform,
  { people, walletsEach }: { people: number; walletsEach: number },
  seed: number,
): SoakPeople {
  const dice = createDice(seed)
  const refused = new Map<string, number>()
  /** The rules that each of them has added, by their names. */
  const rules = new Map<number, string[]>()
  const unwatched = new Map<number, string>()
  const blocked = new Set<number>()

  async function says(person: number, line: string): Promise<string> {
    const { items, footnote } = await platform.says(person, line)
    const at = { now: 0, zone: 'UTC' }
    const words = items.flatMap(({ title, lines }) => [title, ...lines])
    const said = [...words, footnote ?? ''].map((text) => plainText(text, at)).join('\n')
    if (REFUSED.test(said)) {
      const what = `${line.split(' ').slice(0, 2).join(' ')} → ${said.split('\n')[0] ?? ''}`
      refused.set(what, (refused.get(what) ?? 0) + 1)
    }
    return said
  }
  const watch = (person: number, place: number) =>
    says(person, `/watch ${walletOf((person - 1) * walletsEach + place + 1)} w${place}`)

  async function changesRules(person: number): Promise<void> {
    const own = rules.get(person) ?? []
    if (own.length < MOST_RULES) await addsRule(person, own)
    else await says(person, `/remove ${own.shift()}`)
  }
  async function addsRule(person: number, own: readonly string[]): Promise<void> {
    const market = `M${dice.below(SOAK_MARKETS)}`
    const said = await says(
      person,
      dice.one([
        `/alert price ${market} above ${90 + dice.below(60)}`,
        `/alert price-move ${market} ${1 + dice.below(5)}% 1h`,
        `/alert liq ${market} ${5 + dice.below(20)}%`,
        `/alert pnl ${market} -${10 + dice.below(400)}`,
        `/alert funding-rate ${market} above ${5 + dice.below(20)}%`,
      ]),
    )
    const [name] = /\bR\d+\b/.exec(said) ?? []
    if (name !== undefined && !own.includes(name)) rules.set(person, [...own, name])
  }
  async function changesWallets(person: number): Promise<void> {
    const gone = unwatched.get(person)
    if (gone === undefined) {
      const place = dice.below(walletsEach)
      unwatched.set(person, String(place))
      await says(person, `/unwatch w${place} yes`)
    } else {
      unwatched.delete(person)
      await watch(person, Number(gone))
    }
  }
  async function acknowledgements(person: number): Promise<void> {
    const told = platform.told(person)
    if (told.length === 0) return
    const alert = `A${dice.one(told)}`
    await says(person, dice.one([`/ack ${alert}`, '/ack', `/snooze ${alert} 1h`, `/why ${alert}`]))
  }
  async function something(person: number): Promise<void> {
    const thrown = dice.next()
    if (thrown < 0.3) await acknowledgements(person)
    else if (thrown < 0.45) await changesRules(person)
    else if (thrown < 0.5) await changesWallets(person)
    else if (thrown < 0.6) await says(person, dice.one(['/mute 2h', '/mute M3 8h', '/unmute']))
    else if (thrown < 0.65) await says(person, dice.one([QUIET, '/quiet off']))
    else if (thrown < 0.7) await says(person, dice.one([DIGEST, '/digest off']))
    else if (thrown < 0.72) await says(person, dice.one(['/drill', '/try liq 10%', '/fix', 'hello?']))
    else await says(person, dice.one(ASKS))
  }

  return {
    refused,
    async come() {
      for (let person = 1; person <= people; person++) {
        await says(person, '/start')
        for (let place = 0; place < walletsEach; place++) await watch(person, place)
        for (let rule = 0; rule < MOST_RULES; rule++) await addsRule(person, rules.get(person) ?? [])
        if (dice.often(0.5)) await changesWallets(person)
        if (dice.often(0.5)) await says(person, QUIET)
        if (dice.often(0.5)) await says(person, DIGEST)
      }
    },
    async speak() {
      for (let person = 1; person <= people; person++) {
        if (blocked.has(person)) {
          if (!dice.often(BACK_SHARE)) continue
          blocked.delete(person)
          platform.blocks(person, false)
        } else if (dice.often(BLOCK_SHARE)) {
          blocked.add(person)
          platform.blocks(person, true)
        } else if (dice.often(SPEAK_SHARE)) await something(person)
      }
    },
  }
}
