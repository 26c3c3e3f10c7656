import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, test } from 'vitest'

import { createEgress } from '../../../src/net/egress.ts'
import { startHeartbeat } from '../../../src/ops/liveness/heartbeat.ts'
import { blackener } from '../../../src/ops/log.ts'
import type { Asked, Egress, EgressAnswer } from '../../../src/runtime/egress.ts'
import type { Event } from '../../../src/runtime/event.ts'
import { noticeText } from '../../support/notices.ts'
import { handClock } from '../../support/clock.ts'
import { eventually } from '../../support/patience.ts'

const UUID = '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'
const SWITCH = `https://hc.example/${UUID}`
const MINUTE = 60_000
const OK: EgressAnswer = { is: 'answered', status: 200, body: 'OK', isWhole: true, retryAfterMs: null }

function started(url = SWITCH) {
  const clock = handClock()
  const events: Event[] = []
  const asked: string[] = []
  const allowed: string[] = []
  const bot = {
    ...{ clock, events, asked, allowed, says: [] as string[], ready: true },
    criticalSince: null as number | null,
    answers: (): Promise<EgressAnswer> | EgressAnswer => OK,
    /** The addresses that were asked since the last call, without their host. */
    pings: () => asked.splice(0),
    /** What the operator reads in the chat. */
    told: () => events.splice(0).flatMap((one) => noticeText(one) ?? []),
  }
  const egress: Egress = {
    refusal: async () => null,
    async ask(address: URL, { method, body }: Asked) {
      const { pathname, search } = address
      asked.push([method, `${pathname}${search}`.replace(UUID, 'uuid'), ...(body ? [body] : [])].join(' '))
      return bot.answers()
    },
    allowing(hosts) {
      allowed.push(...hosts)
      return egress
    },
  }
  const heartbeat = startHeartbeat({
    ...{ url, egress, clock, emit: (event) => void events.push(event) },
    report: () => ({ ready: bot.ready && bot.says.length === 0, says: bot.says }),
    waiting: async () => [
      { urgency: 0, rows: 1, oldestAt: bot.criticalSince },
      // Nobody is woken for those.
      { urgency: 1, rows: 1, oldestAt: 0 },
    ],
    hide: blackener(['123456:AAsecret']),
  })
  return { ...bot, bot, heartbeat }
}

describe('the dead man’s switch', () => {
  test('is pinged every minute while people would be warned', async () => {
    const { clock, pings, told } = started()
    await clock.advance(5 * MINUTE)
    expect(pings()).toEqual(Array.from({ length: 5 }, () => 'GET /uuid'))
    expect(told()).toEqual([])
  })

  test('hears nothing while something is wrong, why when that lasts, and at once that it is over', async () => {
    const { clock, pings, bot } = started()
    await clock.advance(MINUTE)
    expect(pings()).toEqual(['GET /uuid'])
    bot.says = ['The last prices are 20 s old.']
    await clock.advance(2 * MINUTE)
    expect(pings()).toEqual([])
    bot.says = ['The last prices are 2 min old.', 'telegram takes no messages: 429']
    await clock.advance(MINUTE)
    expect(pings()).toEqual([
      'POST /uuid/fail The last prices are 2 min old.\ntelegram takes no messages: 429',
    ])
    bot.says = []
    await clock.advance(10_000)
    expect(pings()).toEqual(['GET /uuid'])
  })

  test('is not pinged before the bot is ready, and told of a start that goes nowhere', async () => {
    const { clock, pings, bot } = started()
    bot.says = ['The bot is starting.']
    await clock.advance(2 * MINUTE)
    expect(pings()).toEqual([])
    await clock.advance(10_000)
    expect(pings()).toEqual(['POST /uuid/fail The bot is starting.'])
  })

  test('is not pinged either when prices are read and nobody judges them', async () => {
    const { clock, pings, bot } = started()
    bot.ready = false
    await clock.advance(130_000)
    expect(pings()).toEqual(['POST /uuid/fail Nothing has been judged yet.'])
  })

  test('is told after two minutes that a critical message leaves the outbox neither here nor elsewhere', async () => {
    const { clock, pings, bot } = started()
    bot.criticalSince = clock.now()
    await clock.advance(2 * MINUTE)
    // The wall clock says nothing about how long that was.
    clock.jump(-3_600_000)
    expect(pings()).toEqual(['GET /uuid', 'GET /uuid'])
    await clock.advance(10_000)
    expect(pings()).toEqual(['POST /uuid/fail A critical message has been waiting for minutes.'])
    bot.criticalSince = clock.now()
    await clock.advance(10_000)
    expect(pings()).toEqual(['GET /uuid'])
  })

  test('reads no secret, and keeps what its own address asks for', async () => {
    const { clock, pings, bot, allowed } = started('http://switch.lan:8000/ping/uuid/?create=1')
    bot.says = ['telegram has been out of egress for 5 min: bot123456:AAsecret failed']
    await clock.advance(130_000)
    expect(pings()).toEqual([
      'POST /ping/uuid/fail?create=1 telegram has been out of egress for 5 min: bot[secret] failed',
    ])
    expect(allowed).toEqual(['switch.lan:8000'])
  })

  test.each<[string, EgressAnswer, string]>([
    ['answers 500', { ...OK, status: 500 }, 'it answers 500'],
    ['leads elsewhere', { ...OK, status: 302 }, 'it leads elsewhere (302), and I do not follow'],
    ['does not know the check', { ...OK, body: 'OK (not found)' }, 'it does not know this check'],
    ['cannot be reached', { is: 'lost', maybeDone: false, why: 'connect refused' }, 'connect refused'],
  ])('that %s is said once, without its address, and that it works again', async (_how, answer, why) => {
    const { clock, told, bot } = started()
    bot.answers = () => answer
    await clock.advance(2 * MINUTE)
    expect(told()).toEqual([])
    await clock.advance(10 * MINUTE)
    expect(told()).toEqual([
      `Your dead man’s switch (hc.example) doesn’t take my pings: ${why}. Check HEARTBEAT_URL. Until then it may ring for no reason, or stay quiet when I’m gone.`,
    ])
    bot.answers = () => OK
    await clock.advance(2 * MINUTE)
    expect(told()).toEqual(['Your dead man’s switch (hc.example) takes my pings again'])
  })

  test('that never answers is given up, and nothing waits for it at the end', async () => {
    const { clock, pings, bot, heartbeat } = started()
    bot.answers = () => new Promise(() => {})
    await clock.advance(5 * MINUTE)
    expect(pings().length).toBeGreaterThan(3)
    heartbeat.stop()
    await clock.advance(MINUTE)
    expect(pings()).toEqual([])
    expect(clock.waiting()).toBe(0)
  })
})

test('a switch in the operator’s own network is reached without encryption, and nobody is followed elsewhere', async () => {
  const clock = handClock()
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const told: Event[] = []
  // The clock waits for what is under way.
  let underWay = 0
  clock.restsWhen(() => eventually(() => underWay === 0))
  const counted = (inner: Egress): Egress => ({
    ...inner,
    allowing: (hosts) => counted(inner.allowing(hosts)),
    async ask(...what) {
      underWay += 1
      return inner.ask(...what).finally(() => void (underWay -= 1))
    },
  })
  const heartbeat = startHeartbeat({
    ...{
      url: `http://127.0.0.1:${port}/${UUID}`,
      clock,
      egress: counted(createEgress({ clock, allowed: [] })),
    },
    emit: (event) => void told.push(event),
    report: () => ({ ready: true, says: [] }),
    waiting: async () => [],
    hide: (text) => text,
  })
  await clock.advance(3 * MINUTE)
  heartbeat.stop()
  server.close()
  expect(asked).toEqual(Array.from({ length: 3 }, () => `GET /${UUID}`))
  expect(told).toMatchObject([{ is: 'heartbeat', why: expect.stringContaining('302') as string }])
})
