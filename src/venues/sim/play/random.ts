/** A seeded sequence (mulberry32): the same seed gives the same numbers on every machine. */
export interface Draws {
  state: number
}

export function createDraws(seed: number): Draws {
  return { state: avalanche(seed) | 0 }
}

/** Uniform in [0, 1). */
export function uniform(draws: Draws): number {
  draws.state = (draws.state + 0x6d2b79f5) | 0
  return scramble(draws.state) / 2 ** 32
}

/**
 * Mean 0, standard deviation 1. The sum of four uniform numbers is near enough to normal and never beyond
 * ±3.5.
 */
export function bell(draws: Draws): number {
  return (uniform(draws) + uniform(draws) + uniform(draws) + uniform(draws) - 2) * Math.sqrt(3)
}

/** Uniform in [0, 1) from the keys alone, so that an extra draw elsewhere changes nothing here. */
export function hashed(...keys: number[]): number {
  let mixed = 0
  for (const key of keys) mixed = avalanche((mixed ^ key) + 0x9e3779b9)
  return mixed / 2 ** 32
}

function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), value | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return (mixed ^ (mixed >>> 14)) >>> 0
}

/**
 * Every bit of the value affects every other (the last step of MurmurHash3), so neighbouring seeds have
 * nothing in common.
 */
function avalanche(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
