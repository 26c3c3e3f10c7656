import type { Discord } from './server.ts'

/** A server with a channel and two members. */
export function traders(discord: Discord) {
  const guild = discord.guild('Traders')
  return { guild, general: guild.channel('general'), ann: guild.member('ann'), bob: guild.member('bob') }
}

export const BUTTONS = [
  {
    type: 1,
    components: [
      { type: 2, style: 1, label: 'Refresh', custom_id: '/positions' },
      { type: 2, style: 4, label: 'Remove', custom_id: '/remove A41' },
    ],
  },
]
