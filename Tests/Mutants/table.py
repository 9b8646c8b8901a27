"""All mutants, by the type that decides. A change of the marked source needs a change here: the table must fit."""

import inside
import outside

GROUPS = inside.GROUPS + outside.GROUPS
