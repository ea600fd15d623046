export function addTo<Key, Item>(sets: Map<Key, Set<Item>>, key: Key, item: Item): Set<Item> {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set.add(item))
  return set
}

export function removeFrom<Key, Item>(sets: Map<Key, Set<Item>>, key: Key, item: Item): void {
  const set = sets.get(key)
  set?.delete(item)
  if (set?.size === 0) sets.delete(key)
}
