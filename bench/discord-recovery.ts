import { systemClock } from '../src/runtime/clock.ts'
import { online, startApp } from '../test/adapters/discord/app.ts'
import { TROUBLES } from '../test/adapters/discord/troubles.ts'
import { CLAIM_CODE } from '../test/support/bot.ts'
import { startDiscord } from '../test/support/discord/server.ts'
import { row } from './support/rows.ts'

// How soon people are answered again after trouble with the connection: somebody asks until there is an answer.

const discord = await startDiscord()
const running = await startApp(discord, systemClock())
running.stage.market('BTC', { price: 130 })
await online(discord)
const olga = discord.guild('Traders').member('olga')
discord.guild('Traders').channel('alerts')
await olga.runs(`/start code:${CLAIM_CODE}`).answer()
const answered = () =>
  olga
    .runs('/markets')
    .answer(3_000)
    .then(
      () => true,
      () => false,
    )
for (const [what, trouble] of TROUBLES) {
  const began = performance.now()
  trouble(discord)
  while (!(await answered())) await new Promise((resolve) => setTimeout(resolve, 20))
  row(`Discord: answered again after: ${what}`, (performance.now() - began) / 1_000, 's')
}
await running[Symbol.asyncDispose]()
await discord.stop()
