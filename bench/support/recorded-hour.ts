import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { kinds } from '../../src/alerts/index.ts'
import { startMetrics } from '../../src/ops/metrics/metrics-server.ts'
import { timed } from '../../src/ops/timed-store.ts'
import { createEvents } from '../../src/runtime/event.ts'
import { createApp } from '../../src/start/app.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import { createClient } from '../../src/venues/perps-data/client.ts'
import { newDatabase } from '../../test/support/new-database.ts'
import { createRecorder, type CloseRecord } from '../../test/support/recorder.ts'
import { type SimUnderTest, startSim, SUGGESTED } from '../../test/support/sim.ts'

/** Each series by its name and labels, with a value for each scrape; null where it was not there. */
export type Recording = Map<string, (number | null)[]>

export const SCRAPED_EVERY_MS = 15_000
const HOUR_MS = 3_600_000
/** Of this process, not of the bot: the hour goes by in seconds. */
const OURS = /^(?:process_|nodejs_|perch_event_loop_)/
const PLATFORM = 'recorder'
const WHO = 'me'

/** An hour of the whole bot on a clock that is turned, at the simulated venue, and what a scrape every 15 s has seen of it. */
export async function recordedHour(
  happens: (minute: number, sim: SimUnderTest, takes: (what: 'nothing' | 'all') => void) => Promise<void>,
): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), 'perch-hour-'))
  await using sim = await startSim({ SIM_SCENARIO: 'calm', SIM_SPEED: '1', SIM_CONTROL: '1' })
  const { clock } = sim
  const events = createEvents()
  const store = timed(openSqlite(newDatabase(join(folder, 'perch.sqlite')), 'sim'), clock, events.emit)
  const recorder = createRecorder(PLATFORM, clock, true)
  const about = { version: '0', venue: 'sim', adapters: [PLATFORM], kinds: kinds.map(({ name }) => name) }
  const metrics = startMetrics({ events, clock, about })
  // The venue was opened with events of its own.
  const client = createClient({
    ...{ url: sim.url, chainId: 8_008, apiKey: null, clock, random: () => 0.5 },
    emit: events.emit,
  })
  const app = await createApp({
    ...{ venue: { ...sim.opened, venue: client.venue }, store, clock, events, adapters: [recorder.adapter] },
    random: () => 0.5,
    settings: {
      ...{ marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000, requestsPerSecond: 20 },
      ...{
        access: 'claim',
        maxWallets: 20,
        maxFollowed: 50,
        maxRules: 100,
        maxPeople: 10_000,
        maxCommandsPerMinute: 30,
        version: '0',
      },
    },
    newCode: () => 'CODE',
    newToken: () => 'perch_TOKEN',
    claimCode: null,
    quit() {},
  })
  metrics.begin({ stats: () => app.stats(), kept: () => store.admin.size([PLATFORM]) })
  clock.restsWhen(() => app.idle())
  await app.start()
  // The recorder is within reach as soon as it is started.
  events.emit({ is: 'platform', platform: PLATFORM, why: null })
  await clock.advance(0)
  await recorder.says(WHO, `/watch ${SUGGESTED} demo`)
  let isDown = false
  const refuses: CloseRecord = () => {
    if (isDown) recorder.delivers(WHO, refuses)
    return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false, why: 'bad gateway' }
  }
  const takes = (what: 'nothing' | 'all') => {
    isDown = what === 'nothing'
    if (isDown) recorder.delivers(WHO, refuses)
  }
  const recording: Recording = new Map()
  try {
    for (let scrape = 0; scrape <= HOUR_MS / SCRAPED_EVERY_MS; scrape++) {
      if (scrape % 4 === 0) await happens(scrape / 4, sim, takes)
      await clock.advance(SCRAPED_EVERY_MS)
      const answered = await metrics.route({ method: 'GET', path: '/metrics' })
      take(recording, answered?.body ?? '', scrape)
    }
  } finally {
    await app.stop()
    metrics.stop()
    await client.close()
    await store.admin.close()
    rmSync(folder, { recursive: true })
  }
  return recording
}

function take(recording: Recording, text: string, scrape: number): void {
  for (const line of text.split('\n')) {
    const [, series = '', value = ''] = /^([a-z]\w*(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    if (series === '' || OURS.test(series)) continue
    const values = recording.get(series) ?? Array.from({ length: scrape }, () => null)
    values.push(Number(value))
    recording.set(series, values)
  }
  for (const values of recording.values()) if (values.length <= scrape) values.push(null)
}
