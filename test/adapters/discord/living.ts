import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Discord, startDiscord } from '../../support/discord/server.ts'
import { eventually } from '../../support/patience.ts'
import { type Program, runProgram } from '../../support/program.ts'
import { openStage, type Stage } from '../../support/stage.ts'

/** The real program in a process of its own, between the stand-in and a venue whose figures the test sets. */
export interface Living extends AsyncDisposable {
  discord: Discord
  stage: Stage
  /** The one-time code of the operator, as printed. */
  code(): Promise<string>
  program(): Program
  /** Ends the program, and starts it again on the same database. */
  restart(how?: NodeJS.Signals): Promise<void>
}

export async function startLiving(
  set: (stage: Stage) => void,
  env: Record<string, string> = {},
): Promise<Living> {
  const folder = await mkdtemp(join(tmpdir(), 'perch-discord-'))
  const discord = await startDiscord()
  const stage = await openStage()
  set(stage)
  const start = async (): Promise<Program> => {
    const before = discord.gateway.identifies.length
    const program = runProgram('src/main.ts', {
      DATABASE_URL: join(folder, 'perch.sqlite'),
      VENUE_URL: stage.url,
      DISCORD_BOT_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      MARKET_POLL_MS: '100',
      OWNER_POLL_MIN_MS: '100',
      ...env,
    })
    const online = () =>
      discord.gateway.identifies.length > before &&
      discord.gateway.connected() === 1 &&
      discord.commands().length > 0
    const ended = program.ends(Infinity).then(({ code }) => {
      throw new Error(`the program ended with ${code}:\n${program.log()}`)
    })
    ended.catch(() => {})
    const asked = stage.asked.length
    await Promise.race([discord.ledger.until(online, 'the bot is online'), ended])
    // The second request for the markets says that the first was answered.
    const reads = () => stage.asked.slice(asked).filter((path) => path.startsWith('/markets')).length
    await eventually(() => reads() >= 2)
    return program
  }
  const codeIn = async (program: Program): Promise<string> => {
    const found = () => /\/start code:([A-Z0-9-]+)/.exec(program.log())?.[1]
    await eventually(found)
    return found() ?? ''
  }
  let program = await start()
  return {
    discord,
    stage,
    code: () => codeIn(program),
    program: () => program,
    async restart(how = 'SIGTERM') {
      await program.kill(how)
      program = await start()
    },
    async [Symbol.asyncDispose]() {
      await program.kill('SIGTERM')
      await discord.stop()
      await stage[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}
