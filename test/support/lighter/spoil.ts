import type { Dice } from '../seed.ts'

/** What may become of a frame on its way: never sent, sent twice, sent after the next one, or only its first half. */
const FATES = ['lost', 'doubled', 'late', 'halved'] as const
export type Fate = (typeof FATES)[number]

export interface Spoiling {
  /** From 0 to 1: so many frames meet a fate. */
  rate: number
  random: Pick<Dice, 'next'>
  /** All four unless told. */
  fates?: readonly Fate[]
}

export interface Spoiler {
  /** Null ends it. */
  set(spoiling: Spoiling | null): void
  /** How many frames met each fate. */
  readonly met: Record<Fate, number>
  /** The way of one connection's frames. */
  way(send: (text: string) => void): { send(text: string): void; flush(): void }
}

export function createSpoiler(): Spoiler {
  let spoiling: Spoiling | null = null
  const met: Record<Fate, number> = { lost: 0, doubled: 0, late: 0, halved: 0 }
  const draw = (): Fate | null => {
    if (!spoiling || spoiling.random.next() >= spoiling.rate) return null
    const fates = spoiling.fates ?? FATES
    return fates[Math.floor(spoiling.random.next() * fates.length)] ?? null
  }
  return {
    set: (next) => void (spoiling = next),
    met,
    way(send) {
      const late: string[] = []
      const flush = () => {
        for (const text of late.splice(0)) send(text)
      }
      return {
        flush,
        send(text) {
          const fate = draw()
          if (fate) met[fate] += 1
          if (fate === 'late') return void late.push(text)
          if (fate !== 'lost') send(fate === 'halved' ? text.slice(0, text.length / 2) : text)
          if (fate === 'doubled') send(text)
          return flush()
        },
      }
    },
  }
}
