import * as fc from 'fast-check'

const GIVEN = process.env['SEED']

/**
 * Every random test begins with this. It is the same in every run, so that the suite is red only when something has
 * changed. `npm run explore` draws a new one; `SEED=123 npm test` repeats what that run found.
 */
export const SEED = chosen(GIVEN)

/**
 * How much of something that takes long: `full` where somebody gives a seed, and `usual` in every other run, which is
 * about two seconds of it. The same seed gives the same beginning, however long it goes on.
 */
export function budget(full: number, usual: number): number {
  return GIVEN === undefined ? usual : full
}

// Once in each process, before its first test file. fast-check adds the seed to what it says of a property that fails.
fc.configureGlobal({ seed: SEED })

/** Chance that is the same for the same seed. */
export type Dice = ReturnType<typeof createDice>

export function createDice(seed: number) {
  let state = seed >>> 0
  // mulberry32: uniform in [0, 1).
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  return {
    next,
    /** A whole number from 0, less than so many. */
    below,
    often: (share: number) => next() < share,
    one: <T>(all: readonly T[]): T => all[below(all.length)] as T,
  }
}

function chosen(said: string | undefined): number {
  if (said === undefined) return 20_260_115
  return said === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(said)
}
