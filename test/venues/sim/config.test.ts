import { describe, expect, test } from 'vitest'

import { isConfigured, schema } from '../../../src/venues/sim/config.ts'
import { csvFile, startSim } from '../../support/sim.ts'

describe('the settings of the simulated venue', () => {
  test('have defaults for each: the demo is faster than a replay', () => {
    expect(schema.parse({})).toMatchObject({
      speed: 600,
      seed: 1,
      port: undefined,
      once: false,
      control: false,
    })
    expect(schema.parse({ SIM_REPLAY: 'x.csv' }).speed).toBe(60)
    expect(
      schema.parse({ SIM_REPLAY: 'x.csv', SIM_SPEED: '0.5', SIM_SEED: '-3', SIM_ONCE: '1' }),
    ).toMatchObject({
      speed: 0.5,
      seed: -3,
      once: true,
    })
  })

  test('that are empty say nothing', () => {
    expect(schema.parse({ SIM_REPLAY: '', SIM_SPEED: '', SIM_CONTROL: '' })).toEqual(schema.parse({}))
    expect([isConfigured({}), isConfigured({ SIM_SEED: '' }), isConfigured({ VENUE: 'sim' })]).toEqual([
      false,
      false,
      false,
    ])
    expect(isConfigured({ SIM_SEED: '4' })).toBe(true)
  })

  test.each([
    [{ SIM_SPEED: '-1' }, /SIM_SPEED is how many market seconds/],
    [{ SIM_SPEED: 'fast' }, /SIM_SPEED is how many market seconds/],
    [{ SIM_SEED: '1.5' }, /SIM_SEED is a whole number/],
    [{ SIM_PORT: '70000' }, /SIM_PORT is a port/],
    [{ SIM_CONTROL: 'yes' }, /SIM_CONTROL is 1 or not set/],
    [{ SIM_REPLAY_SYMBOL: 'B T C' }, /SIM_REPLAY_SYMBOL is the symbol/],
    [{ SIM_ONCE: '1' }, /SIM_ONCE=1 ends the bot with the replay, but there is none: set SIM_REPLAY/],
  ])('%j are refused with one sentence', async (env, message) => {
    const { error } = schema.safeParse(env)
    expect(error?.issues.map((issue) => issue.message)).toEqual([expect.stringMatching(message)])
    await expect(startSim(env as Record<string, string>)).rejects.toThrow(message)
  })

  test('are all told together when several are wrong', () => {
    const { error } = schema.safeParse({ SIM_SPEED: 'x', SIM_SEED: 'x', SIM_ONCE: '1' })
    expect(error?.issues.map(({ path }) => path[0])).toEqual(['SIM_SPEED', 'SIM_SEED', 'SIM_ONCE'])
  })

  test('a replay that is not there, or is no replay, is named with what is wrong', async () => {
    await expect(startSim({ SIM_REPLAY: '/nowhere/a.csv' })).rejects.toThrow(
      'SIM_REPLAY names /nowhere/a.csv, which cannot be read: there is no such file.',
    )
    await using file = await csvFile(['hello', 'world'])
    await expect(startSim({ SIM_REPLAY: file.path })).rejects.toThrow(/cannot be played: .* no time column/)
  })
})
