module dicepoker/crds

go 1.26.0
