import { constants, setPriority } from 'node:os'

import { errorText } from '../../../lib/text/error-text.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { realFile } from '../../sqlite/file/database.ts'
import { placeOf } from '../place.ts'
import { createCheckpoints } from '../postgres/checkpoints.ts'
import { openLink } from '../postgres/link.ts'
import { insist, writeCheckpoint } from './write.ts'

// A standby runs this in a process of its own, with DATABASE_URL and the id of its claim: copying a large file holds the
// event loop for seconds.

const ANSWER_MS = 3_000

const { DATABASE_URL: url = '', CHECKPOINT_ID: id = '' } = process.env
const { server, cell, file } = placeOf(url)
const clock = systemClock()
const link = openLink({ server, name: 'perch checkpoint', answerMs: ANSWER_MS })
try {
  // The standby itself, and all else on this machine, comes first.
  setPriority(constants.priority.PRIORITY_LOW)
  const checkpoints = createCheckpoints(link, cell)
  const made = await writeCheckpoint({ file: realFile(file), id, checkpoints, clock })
  process.stdout.write(`${JSON.stringify(made)}\n`)
  while (await insist(clock, checkpoints.prune));
} catch (error) {
  process.stderr.write(`${errorText(error)}\n`)
  process.exitCode = 1
} finally {
  await link.close()
}
