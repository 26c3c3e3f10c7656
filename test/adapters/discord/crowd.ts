import { channelAddress, homeOf } from '../../../adapters/discord/channels.ts'
import { kinds } from '../../../src/alerts/index.ts'
import { parseOwner } from '../../../src/owner.ts'
import type { Write } from '../../../src/store.ts'
import { ALICE } from '../../support/bot.ts'
import { startDiscord } from '../../support/discord/server.ts'
import { hurriedClock, online, startApp } from './app.ts'

/** Discord's own: https://docs.discord.com/developers/topics/rate-limits#global-rate-limit */
const GLOBAL_PER_SECOND = 50

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

/**
 * So many channels hear of one tick: every other one of a danger, the rest of a funding flip. Time runs `hurry` times as
 * fast, for the stand-in's limits as well.
 */
export async function alertCrowd(count: number, hurry: number): Promise<CrowdReport> {
  const clock = hurriedClock(hurry)
  const discord = await startDiscord({ clock, limits: { globalPerSecond: GLOBAL_PER_SECOND } })
  const guild = discord.guild('Crowd')
  const olga = guild.member('olga', { manageServer: true })
  const channels = Array.from({ length: count }, (_, n) => guild.channel(`c${n}`))
  const running = await startApp(discord, clock, {
    globalPerSecond: GLOBAL_PER_SECOND * hurry,
    seed: seedOf(olga.id, channels),
    marketPollMs: 200,
    ownerPollMaxMs: 2_000,
  })
  const { stage, events } = running
  stage.market('BTC', { price: 130, funding: 0.0002 })
  stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await online(discord)
  const reads = () => events.filter(({ is }) => is === 'owner-read').length
  // A danger is told at once while the position reading is fresh: soon after a read.
  for (const enough = reads() + 2; reads() < enough;) await new Promise((resolve) => setTimeout(resolve, 5))
  await running.app.idle()
  const posts = () => discord.ledger.messages().filter(({ origin }) => origin === 'post')
  const began = clock.tick()
  stage.market('BTC', { price: 94, funding: -0.0002 })
  await discord.ledger.until(() => posts().length >= count, `${count} channels are told`, 20_000)
  const told = posts()
  const times = told.map(({ at }) => at)
  const report: CrowdReport = {
    ms: (times.at(-1) ?? 0) - began,
    order: told.map(({ content }) => (content.startsWith('CRITICAL') ? 'critical' : 'info')),
    channels: new Set(told.map(({ place }) => place.id)).size,
    fullestSecond: Math.max(
      ...times.map((at) => times.filter((other) => other >= at && other < at + 1_000).length),
    ),
    refused: discord.ledger.requests().filter(({ status }) => status === 429).length,
  }
  await running[Symbol.asyncDispose]()
  await discord.stop()
  return report
}

function seedOf(user: string, channels: readonly { id: string; name: string }[]): Write[] {
  const [parsed] = [parseOwner(ALICE)]
  if (!parsed.ok) throw new Error(parsed.why)
  const { owner } = parsed
  const home = homeOf(user)
  const at = { personId: 1, private: false, mention: null, brokenBecause: null }
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
        identities: [{ platform: home.platform, user }],
        defaultChat: 1,
        fallbackChat: null,
      },
    },
    { is: 'chat', chat: { id: 1, address: home, title: null, ...at, private: true } },
    { is: 'watch', watch: { personId: 1, owner, label: 'main', since: 0 } },
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
          owner: n % 2 === 0 ? owner : null,
          market: n % 2 === 0 ? null : { id: '100', symbol: 'BTC' },
          armedByWatch: false,
        },
      },
    ]),
  ]
}
