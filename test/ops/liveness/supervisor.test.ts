import { describe, expect, test } from 'vitest'

import { tellSupervisor } from '../../../src/ops/liveness/supervisor.ts'
import { createEvents, type Event } from '../../../src/runtime/event.ts'
import { handClock } from '../../support/clock.ts'

const STARTED: Event = { is: 'started', version: '0', venue: 'sim', adapters: ['terminal'], database: 'x' }
const SOCKET = { NOTIFY_SOCKET: '/run/systemd/notify' }
const WATCHED = { ...SOCKET, WATCHDOG_USEC: '60000000', WATCHDOG_PID: '7' }

function supervised(env: Record<string, string>) {
  const clock = handClock()
  const events = createEvents()
  const heard: string[] = []
  const cautions: string[] = []
  events.listen((event) => {
    if (event.is === 'caution') cautions.push(event.why)
  })
  const bot = { stuck: false, says: [] as string[], fails: null as string | null }
  const supervisor = tellSupervisor({
    ...{ env, pid: 7, events, clock },
    report: () => bot,
    async notify(words) {
      heard.push(words.join(' '))
      return bot.fails
    },
  })
  return { ...{ clock, bot, cautions, supervisor }, emit: events.emit, hears: () => heard.splice(0) }
}

describe('systemd', () => {
  test('hears that the bot is ready, that it makes progress twice in its time, and that it ends', async () => {
    const { clock, emit, hears, supervisor } = supervised(WATCHED)
    await clock.advance(60_000)
    expect(hears()).toEqual([])
    emit(STARTED)
    await clock.advance(60_000)
    expect(hears()).toEqual([
      'READY=1 STATUS=All is well.',
      'WATCHDOG=1 STATUS=All is well.',
      'WATCHDOG=1 STATUS=All is well.',
    ])
    emit({ is: 'stopping', why: 'SIGTERM' })
    expect(hears()).toEqual(['STOPPING=1 STATUS=SIGTERM'])
    supervisor.stop()
    expect(clock.waiting()).toBe(0)
  })

  test('hears that a standby is up and whom it follows, and later that it leads', async () => {
    const { clock, emit, hears, bot } = supervised(WATCHED)
    const stands = {
      is: 'standing',
      name: 'b',
      leader: 'a',
      epoch: 3,
      behindSeconds: 0,
      standbys: [],
    } as const
    Object.assign(bot, { role: 'standby', leader: 'a' })
    for (let times = 0; times < 3; times++) emit({ ...stands, role: 'standby', why: null })
    await clock.advance(30_000)
    expect(hears()).toEqual(['READY=1 STATUS=Standby: a leads.', 'WATCHDOG=1 STATUS=Standby: a leads.'])
    Object.assign(bot, { role: 'leader', leader: 'b' })
    emit(STARTED)
    expect(hears()).toEqual(['STATUS=All is well.'])
    await clock.advance(30_000)
    expect(hears()).toEqual(['WATCHDOG=1 STATUS=All is well.'])
  })

  test('hears what is wrong, and goes on hearing of progress while a restart would not mend it', async () => {
    const { clock, emit, hears, bot } = supervised(WATCHED)
    emit(STARTED)
    bot.says = ['Nothing can be kept: disk full']
    await clock.advance(30_000)
    expect(hears()).toContain('WATCHDOG=1 STATUS=Nothing can be kept: disk full')
  })

  test('hears of no progress once nothing moves any more', async () => {
    const { clock, emit, hears, bot } = supervised(WATCHED)
    emit(STARTED)
    Object.assign(bot, { stuck: true, says: ['The engine has done nothing for 65 s.'] })
    await clock.advance(60_000)
    expect(hears().join('\n')).not.toContain('WATCHDOG=1')
  })

  test.each([
    ['that wants no sign of life', SOCKET],
    ['that wants one of another process', { ...WATCHED, WATCHDOG_PID: '8' }],
  ])('%s gets none', async (_which, env) => {
    const { clock, emit, hears } = supervised(env)
    emit(STARTED)
    await clock.advance(60_000)
    expect(hears()).toEqual(['READY=1 STATUS=All is well.', 'STATUS=All is well.'])
  })

  test('that cannot be told is a caution, once', async () => {
    const { clock, emit, bot, cautions } = supervised(WATCHED)
    bot.fails = 'spawn systemd-notify ENOENT'
    emit(STARTED)
    await clock.advance(120_000)
    expect(cautions).toEqual(['systemd cannot be told that I am here: spawn systemd-notify ENOENT'])
  })

  test('is told nothing where it is not there', async () => {
    const { clock, emit, hears } = supervised({})
    emit(STARTED)
    await clock.advance(120_000)
    expect(hears()).toEqual([])
    expect(clock.waiting()).toBe(0)
  })
})
