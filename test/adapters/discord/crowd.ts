import { channelAddress, homeOf } from '../../../adapters/discord/send/channels.ts'
import { kinds } from '../../../src/alerts/index.ts'
import type { Write } from '../../../src/store/store.ts'
import { parseWallet } from '../../../src/venue/wallet.ts'
import { ALICE } from '../../support/bot.ts'
import type { Discord } from '../../support/discord/server.ts'
import type { Extras, RunningApp } from './app.ts'

/** Discord's own: https://docs.discord.com/developers/topics/rate-limits#global-rate-limit */
export const CROWD_LIMITS = { globalPerSecond: 50 }

export interface CrowdReport {
  /** From the price in the venue to the last message. */
  ms: number
  /** The kinds of message in the order in which they were posted. */
  order: ('critical' | 'info')[]
  channels: number
  /** Posts in the fullest second. */
  fullestSecond: number
  refused: number
}

/** What a bot remembers that speaks in so many channels. */
export function crowdOf(discord: Discord, count: number): Partial<Extras> {
  const guild = discord.guild('Crowd')
  const olga = guild.member('olga', { manageServer: true })
  const channels = Array.from({ length: count }, (_, n) => guild.channel(`c${n}`))
  return { seed: seedOf(olga.id, channels), marketPollMs: 200, walletPollMaxMs: 2_000 }
}

interface CrowdedBot extends RunningApp {
  discord: Discord
  until(look: () => boolean, what: string): Promise<unknown>
}

/** All of them hear of one tick: every other one of a danger, the rest of a funding flip. Times are those of the clock. */
export async function alertCrowd(
  { app, stage, events, clock, discord, until }: CrowdedBot,
  count: number,
): Promise<CrowdReport> {
  stage.market('BTC', { price: 130, funding: 0.0002 })
  stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await until(() => discord.gateway.connected() === 1 && discord.commands().length > 0, 'the bot is online')
  const reads = () => events.filter(({ is }) => is === 'wallet-read').length
  const enough = reads() + 2
  await until(() => reads() >= enough, 'the position reading is fresh, or a danger would wait for the next')
  await app.idle()
  const posts = () => discord.ledger.messages().filter(({ origin }) => origin === 'post')
  const began = clock.monotonic()
  stage.market('BTC', { price: 94, funding: -0.0002 })
  await until(() => posts().length >= count, `${count} channels are told`)
  const told = posts()
  const times = told.map(({ at }) => at)
  return {
    ms: (times.at(-1) ?? 0) - began,
    order: told.map(({ content }) => (content.startsWith('CRITICAL') ? 'critical' : 'info')),
    channels: new Set(told.map(({ place }) => place.id)).size,
    fullestSecond: Math.max(
      ...times.map((at) => times.filter((other) => other >= at && other < at + 1_000).length),
    ),
    refused: discord.ledger.requests().filter(({ status }) => status === 429).length,
  }
}

function seedOf(user: string, channels: readonly { id: string; name: string }[]): Write[] {
  const [parsed] = [parseWallet(ALICE)]
  if (!parsed.ok) throw new Error(parsed.why)
  const { wallet } = parsed
  const home = homeOf(user)
  const at = {
    personId: 1,
    private: false,
    mention: null,
    quiet: null,
    digest: null,
    weekly: null,
    pin: null,
    acksBy: 'known' as const,
    brokenBecause: null,
  }
  const danger = kinds.find(({ name }) => name === 'liquidation-distance')
  const flip = kinds.find(({ name }) => name === 'funding-flip')
  if (!danger || !flip) throw new Error('a kind is missing')
  return [
    {
      is: 'person',
      person: {
        id: 1,
        operator: true,
        zone: 'UTC',
        numbers: '1,234.5',
        language: null,
        spoken: null,
        detail: 'short',
        pictures: 'on',
        theme: 'dark',
        preset: null,
        identities: [{ platform: home.platform, user }],
        defaultChat: 1,
        fallbackChat: null,
        escalateFrom: 3,
        steps: [],
      },
    },
    { is: 'chat', chat: { id: 1, address: home, title: null, ...at, private: true } },
    { is: 'watch', watch: { personId: 1, wallet, label: 'main', since: 0, as: 'own' } },
    ...channels.flatMap(({ id, name }, n): Write[] => [
      { is: 'chat', chat: { id: n + 2, address: channelAddress(id), title: name, ...at } },
      {
        is: 'rule',
        rule: {
          id: n + 1,
          personId: 1,
          chatId: n + 2,
          kind: n % 2 === 0 ? danger.name : flip.name,
          params: (n % 2 === 0 ? danger : flip).armedByWatch,
          identity: '',
          wallet: n % 2 === 0 ? wallet : null,
          market: n % 2 === 0 ? null : { id: '100', symbol: 'BTC' },
          armedByWatch: false,
          holdMs: 0,
        },
      },
    ]),
  ]
}
