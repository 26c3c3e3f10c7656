import type english from '../en/people.ts'

export default {
  'escalation.at-once': 'sofort',
  'escalation.after': 'nach {minutes} min',
  'escalation.unanswered': 'wenn {minutes} min niemand bestätigt',
  'escalation.button.at-once': 'Sofort',
  'escalation.button.after': '{minutes} min',

  'trouble.no-chat': 'Ich kann dich nicht warnen: Ich habe keinen privaten Chat mit dir. Schreib mir dort.',
  'trouble.handover': 'An {name} übergeben, aber dort kommt nichts an: {why}.',
  'trouble.unwritable': 'Auf {platform} kann ich dir nicht schreiben',
  'trouble.covered': '{wrong}. Deine Alarme gehen stattdessen an {platform}.',
  'trouble.late': '{wrong}. {platform} bekommt kritische Alarme eine Minute später; der Rest wartet.',
  'trouble.next': '{wrong}. Kritische Alarme gehen {when} an {name}, vorher an niemanden. /link',
  'trouble.alone': '{wrong}, und du hast keinen Ersatz. /link fügt eine Plattform hinzu.',
  'trouble.backup-late':
    'Fällt {platform} aus, gehen kritische Alarme {when} an {name}, vorher an niemanden. Nenn einen Ersatz-Chat: /settings fallback',
  'trouble.no-backup': 'Kein Ersatz: Fällt {platform} aus, erreichen dich kritische Alarme nicht. /link',
  'trouble.step': '{name} ({when}): {wrong}.',
  'trouble.one-platform': 'Alles läuft über {platform}. Fällt das aus, erfährt niemand etwas. /link',

  'wrong.not-set-up': '{platform} ist hier nicht eingerichtet',
  'wrong.unwritable': 'dort kann ich nicht schreiben: {why}',
  'wrong.replaced': '{wrong}; {platform} springt ein',
  'wrong.no-chat': 'ich habe keinen privaten Chat mit dieser Person',
  'wrong.not-backup': 'vertritt dich nicht mehr. Zum Entfernen: /escalate @{name} none',

  'muted.all': 'Alles',
  'muted.wallet': 'Alarme für {wallet}',
  'muted.market': '{market}-Alarme',
  'muted.kind': '{kind}-Alarme',

  'people.no-chat': 'Ich habe noch keinen privaten Chat mit dir. Schreib mir dort zuerst.',
} satisfies Record<keyof typeof english, string>
