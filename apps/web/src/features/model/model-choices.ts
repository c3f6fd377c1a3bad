import type { Model } from '@chirality/contracts';
import { modelName, resolveModel } from '@chirality/domain';

/** One entry of a list of models. `price` is US dollars per million tokens, read and written. */
type ModelChoice = { value: string; name: string; price: string };

/** Names of the program for a model that another name says better. */
const NOT_OFFERED = new Set(['best', 'default']);

function priceOf({ price }: Model): string {
  return `$${price.input} in, $${price.output} out`;
}

/** `latest` follow the program from version to version, `versions` stay what they are. The newest come first. */
export function modelChoices(models: readonly Model[]): { latest: ModelChoice[]; versions: ModelChoice[] } {
  const latest = models.flatMap((model) =>
    model.aliases
      .filter((alias) => !NOT_OFFERED.has(alias))
      .map((alias) => ({
        value: alias,
        name: `${modelName(alias)}, now ${modelName(model.id)}`,
        price: priceOf(model),
      })),
  );
  const versions = models.map((model) => ({ value: model.id, name: modelName(model.id), price: priceOf(model) }));
  const byVersion = (a: ModelChoice, b: ModelChoice) => b.name.localeCompare(a.name, 'en', { numeric: true });
  return { latest: latest.toSorted(byVersion), versions: versions.toSorted(byVersion) };
}

/** The entry of the list that an option means: options may name a model with its date or provider. */
export function choiceOf(models: readonly Model[], option: string): ModelChoice | null {
  const { latest, versions } = modelChoices(models);
  return (
    latest.find(({ value }) => value === option) ?? versions.find(({ value }) => value === resolveModel(option)) ?? null
  );
}
