export const SQUADS = [
  {
    ...{ name: 'Night Owls', tag: 'OWL', colour: 'violet', emblem: 'moon', joining: 'open' },
    description: 'We start when everyone else goes to bed.',
  },
  {
    ...{ name: 'Last Circle', tag: 'LAST', colour: 'orange', emblem: 'flame', joining: 'open' },
    description: 'Alive until the end. Usually.',
  },
] as const

export const POSTS = [
  'Wednesday, nine o’clock: customs for whoever is there. Bring a headset that works this time.',
  'Server wipes on Friday. I am saving a bed for everyone who helped with the gate.',
  'Looking for two for ranked, no shouting. Timezone does not matter, patience does.',
  'Somebody please explain how that grenade came back through the window.',
  'New rule: whoever dies first makes the next montage.',
  'Thank you all for the birthday raid. I still do not know who brought the horses.',
]

/** One of them is posted now and then while the demo runs, each of them once. */
export const LATER_POSTS = [
  'Anybody up for a round before dinner?',
  'My microphone is back from the dead. You were warned.',
  'Found the old server box in the basement. Who remembers the password?',
  'Map vote for Saturday: say which one in the comments.',
  'I will be late tonight, start without me and do not lose everything.',
  'Whoever left the gate open owes us a base.',
  'New headset, first impression: I can hear my own mistakes now.',
  'We need a fifth for the weekend. Snacks are provided.',
  'Patch notes are out, and my favourite rifle is not in them. Good.',
  'Three wins in a row. I am writing this down before the next match.',
  'Does anybody have the other angle of last night’s ending?',
  'Reminder: the wipe is in two days, so sell what you can.',
] as const

export const ANSWERS = [
  'I am in.',
  'Same time as last week?',
  'That was the best round we had this month.',
  'Watch the corner at the end, he never even looked.',
  'Who taught you to drive like that?',
  'I have it from the other side, uploading tonight.',
  'You said one more round three hours ago.',
  'Still laughing.',
  'Good game. Next time with sound.',
  'This needs a slow-motion version.',
]

export const CLIP_TITLES = [
  'The flick',
  'He had no idea',
  'One bullet left',
  'Wait for it',
  'Through the smoke',
  'The whole plan in eight seconds',
  'Wrong door',
  'Out of nowhere',
  'Saved by the lag',
  'Never a doubt',
  'The landing',
  'Two for one',
  'Last one standing',
]

export const CAPTION_LINES = [
  'Is anybody behind us?',
  'No, it is quiet.',
  'Then who just fired?',
  'Run. Run!',
  'I cannot believe that worked.',
]

export const REPORTS = [
  'Not about games: this looks like an advertisement.',
  'Shows my real name at the end, please take a look.',
]
