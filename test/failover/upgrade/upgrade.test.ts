import { expect, test } from 'vitest'

import { budget } from '../../support/seed.ts'
import type { News } from './newer.ts'
import { upgrade } from './upgrade.ts'

const BOTH: readonly News[] = ['a column of another name', 'a newer form of entries']
const ALL: readonly (readonly News[])[] = [BOTH, [BOTH[0] ?? 'a column of another name']]

// `npm run failover -- upgrade` prints how long nobody was answered.
test.each(ALL.slice(0, budget(ALL.length, 1)))(
  'a newer Perch takes over while people talk: every command is answered, every warning comes (%s, %s)',
  async (...news) => {
    const one = await upgrade(news)
    expect(one.owed).toBeGreaterThan(0)
    expect(one.said).toBeGreaterThan(0)
    const { lost, unmarked, unanswered, unequal, ends } = one
    expect({ lost, unmarked, false: one.false, unanswered, unequal }).toEqual({
      ...{ lost: [], unmarked: [], false: [], unanswered: 0, unequal: [] },
    })
    // The standby, the leader, and the older one that was started by mistake.
    expect(ends).toEqual(['code 0', 'code 0', 'code 0'])
    if (news.includes('a newer form of entries'))
      expect(one.olderWaits).toMatch(/^the journal is of a newer Perch .*update Perch$/)
  },
)
