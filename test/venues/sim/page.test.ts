import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { KINDS } from '../../../src/venues/sim/doors/fault.ts'
import { doors } from '../../../src/venues/sim/http/host.ts'
import { startSim } from '../../support/sim.ts'

// What the page about the venue says of its control door is so.

const page = readFileSync(new URL('../../../docs/venue.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| `(GET|POST|DELETE) (\/_sim\/\w+)` \| (?:–|`(\{.*?\})`) \| (.+) \|$/gm)]
const still = { SIM_CONTROL: '1', SIM_SPEED: '0' }

describe('the page about the venue', () => {
  test('has a row for each control door, and no other', () => {
    const declared = doors.map(({ method, path, example, does }) => {
      const body = example === null ? undefined : JSON.stringify(example)
      return [method, path, body, does]
    })
    expect(rows.map(([, ...row]) => row)).toEqual(declared)
  })

  test.each(rows.map(([, method = '', path = '', body]) => [method, path, body] as const))(
    'shows for %s %s a body that a venue takes that has just been started: %s',
    async (method, path, body) => {
      await using sim = await startSim(still)
      const { status, body: answer } = await sim.send(method, path, body)
      expect(status, JSON.stringify(answer)).toBe(200)
    },
  )

  test('shows commands that do what they say', async () => {
    await using sim = await startSim(still)
    const commands = [...page.matchAll(/^curl -X (\w+) 127\.0\.0\.1:4700(\S+)(?: -d '(.+)')?$/gm)]
    expect(commands.length).toBeGreaterThan(2)
    for (const [, method = '', path = '', body] of commands)
      expect((await sim.send(method, path, body)).status).toBe(200)
  })

  test('tells of every kind of fault, and of no other', () => {
    const [, table = ''] = page.split('| fault | what a request meets |')
    const told = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind)
    expect(new Set(told)).toEqual(new Set(KINDS))
  })
})

test('with "exactly" a fault of the list of markets spares the single ones', async () => {
  await using sim = await startSim(still)
  const fault = { path: '/markets', exactly: true, kind: 'status', times: 9 }
  await sim.send('POST', '/_sim/fault', fault)
  expect((await sim.send('GET', '/markets')).status).toBe(503)
  expect((await sim.send('GET', '/markets/100?chainId=8008')).status).toBe(200)
  await sim.send('DELETE', '/_sim/fault')
  await sim.send('POST', '/_sim/fault', { ...fault, path: '/markets/', exactly: false })
  expect((await sim.send('GET', '/markets')).status).toBe(200)
  expect((await sim.send('GET', '/markets/100?chainId=8008')).status).toBe(503)
})
